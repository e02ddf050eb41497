// node rivals.mjs SYSTEM: read {"html", "url"} a line, write {"html", "seconds"} or {"error"}.
// The packages are searched in the working directory.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const load = createRequire(`${process.cwd()}/`);

function withJsdom(extract) {
  const { JSDOM } = load("jsdom");
  return async ({ html, url }) => {
    const { window } = new JSDOM(html, { url });
    const found = await extract(window.document, url);
    window.close();
    return found;
  };
}

function withLinkedom(extract) {
  const { parseHTML } = load("linkedom");
  return ({ html, url }) => extract(parseHTML(html).document, url);
}

function readability() {
  const { Readability } = load("@mozilla/readability");
  return (document) => new Readability(document).parse()?.content;
}

async function defuddle() {
  const file = `${process.cwd()}/node_modules/defuddle/dist/node.js`; // it has no entry for require
  const { Defuddle } = await import(pathToFileURL(file));
  const options = { useAsync: false }; // no downloads
  return async (document, url) => (await Defuddle(document, url, options)).content;
}

const systems = {
  "readability.js": async () => withJsdom(readability()),
  defuddle: async () => withLinkedom(await defuddle()),
};
console.log = console.error;
const call = await systems[process.argv[2]]();
for await (const line of createInterface({ input: process.stdin })) {
  const began = process.cpuUsage();
  let answer;
  try {
    answer = { html: (await call(JSON.parse(line))) ?? "" };
  } catch (error) {
    answer = { error: String(error) };
  }
  const { user, system } = process.cpuUsage(began);
  process.stdout.write(`${JSON.stringify({ ...answer, seconds: (user + system) / 1e6 })}\n`);
}
