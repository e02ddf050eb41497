"""Names of months in fifty languages, as CLDR 46 has them (Unicode licence), and abbreviations.

One table for all: of the words of these languages four alone mean two months, and Croatian is the
odd one each time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_WORDS: Final = (
    "january jan januarie يناير yanvar yan студзеня сту студзень януари яну জানুয়ারী জানু januar "
    "gener gen ledna led leden ionawr ion jänner jän ιανουαρίου ιαν ιανουάριοσ enero ene jaanuar "
    "jaan urtarrila urt ژانویهٔ ژانویه tammikuuta tammi tammikuu janvier janv eanáir ean xaneiro "
    "xan ינואר ינו जनवरी जन január հունվարի հնվ հունվար januari janúar gennaio იანვარი იან қаңтар "
    "қаң sausio saus sausis janvāris јануари јан जानेवारी जाने stycznia sty styczeń janeiro "
    "ianuarie ian января янв январь januára janar јануар ஜனவரி ஜன มกราคม ม.ค ocak oca січня січ "
    "січень جنوری siječnja sij siječanj",
    "february feb februarie فبراير fevral fev лютага лют люты февруари фев ফেব্রুয়ারী ফেব "
    "februar febrer febr února úno únor chwefror chwef chw feber φεβρουαρίου φεβ φεβρουάριοσ "
    "febrero veebruar veebr otsaila ots فوریهٔ فوریه helmikuuta helmi helmikuu pebrero peb "
    "février févr fév feabhra feabh febreiro פברואר פבר फ़रवरी फ़र február փետրվարի փտվ փետրվար "
    "februari febrúar febbraio თებერვალი თებ ақпан ақп vasario vas vasaris februāris फेब्रुवारी "
    "फेब्रु lutego lut luty fevereiro февраля февр февраль februára shkurt shk фебруар феб "
    "பிப்ரவரி பிப் กุมภาพันธ์ ก.พ şubat şub лютого лютий فروری veljače velj veljača",
    "march mar maart mrt مارس mart сакавіка сак сакавік март মার্চ març března bře březen mawrth "
    "maw marts märz mär mrz μαρτίου μαρ μάρτιοσ μάρ marzo märts martxoa maaliskuuta maalis "
    "maaliskuu marso mars márta מרץ मार्च március márc մարտի մրտ մարտ maret მარტი მარ наурыз нау "
    "kovo kov kovas мар mac marca marzec março martie марта marec machi மார்ச் மார் มีนาคม มี.ค "
    "березня бер березень مارچ ožujka ožu ožujak",
    "april apr أبريل aprel красавіка кра красавік април апр এপ্রিল এপ্রি abril abr dubna dub "
    "duben ebrill ebr απριλίου απρ απρίλιοσ aprill apirila api آوریل huhtikuuta huhti huhtikuu "
    "avril avr aibreán aib אפריל אפר अप्रैल április ápr ապրիլի ապր ապրիլ apríl aprile აპრილი აპრ "
    "сәуір сәу balandžio bal balandis aprīlis एप्रिल एप्रि kwietnia kwi kwiecień aprilie апреля "
    "апрель apríla prill pri aprili ஏப்ரல் ஏப் เมษายน เม.ย nisan nis квітня квіт квітень кві "
    "اپریل travnja tra travanj",
    "may mei مايو мая май মে maj maig května kvě květen mai μαΐου μαΐ μάιοσ μάι μάη mayo maiatza "
    "مهٔ مه toukokuuta touko toukokuu bealtaine beal maio מאי मई május máj մայիսի մյս մայիս maí "
    "maggio mag მაისი მაი мамыр мам gegužės geg gegužė maijs мај मे maja mája மே พฤษภาคม พ.ค "
    "mayıs травня трав травень тра مئی svibnja svi svibanj",
    "june jun junie يونيو iyun iyn чэрвеня чэр чэрвень юни জুন juni juny června čvn červen "
    "mehefin meh ιουνίου ιουν ιούνιοσ ιούν junio juuni ekaina eka ژوئن kesäkuuta kesä kesäkuu "
    "hunyo hun juin meitheamh meith xuño יוני जून június jún հունիսի հնս հունիս júní giugno giu "
    "ივნისი ივნ маусым мау birželio birž birželis jūnijs jūn јуни јун czerwca cze czerwiec junho "
    "iunie iun июня июн июнь júna junij qershor qer ஜூன் มิถุนายน มิ.ย haziran haz червня черв "
    "червень чер جون lipnja lipanj",
    "july jul julie يوليو iyul iyl ліпеня ліп ліпень юли জুলাই জুল juli juliol července čvc "
    "červenec gorffennaf gorff gor ιουλίου ιουλ ιούλιοσ ιούλ julio juuli uztaila uzt ژوئیهٔ ژوئیه "
    "heinäkuuta heinä heinäkuu hulyo hul juillet juil iúil xullo xul יולי जुलाई जुल július júl "
    "հուլիսի հլս հուլիս júlí luglio lug ივლისი ივლ шілде шіл liepos liep liepa jūlijs jūl јули "
    "јул जुलै julai lipca lip lipiec julho iulie iul июля июл июль júla julij korrik korr ஜூலை "
    "กรกฎาคม ก.ค temmuz tem липня лип липень جولائی srpnja srpanj",
    "august aug augustus أغسطس avqust avq жніўня жні жнівень август авг আগস্ট আগ agost ag srpna "
    "srp srpen awst αυγούστου αυγ αύγουστοσ αύγ agosto ago abuztua abu اوت elokuuta elo elokuu "
    "août lúnasa lún אוגוסט אוג अगस्त अग augusztus օգոստոսի օգս օգոստոս agustus agu ágúst ágú "
    "აგვისტო აგვ тамыз там rugpjūčio rugp rugpjūtis augusts ऑगस्ट ऑग ogos ogo sierpnia sie "
    "sierpień августа augusta avgust avg gusht gush augusti agosti ஆகஸ்ட் ஆக สิงหาคม ส.ค ağustos "
    "ağu серпня серп серпень сер اگست kolovoza kol kolovoz",
    "september sep sept سبتمبر sentyabr sen верасня вер верасень септември сеп সেপ্টেম্বর সেপ "
    "septembar setembre set září zář medi σεπτεμβρίου σεπ σεπτέμβριοσ septiembre setiembre iraila "
    "ira سپتامبر syyskuuta syys syyskuu setyembre septembre meánfómhair mfómh setembro ספטמבר ספט "
    "सितंबर सित szeptember szept սեպտեմբերի սեպ սեպտեմբեր settembre სექტემბერი სექ қыркүйек қыр "
    "rugsėjo rugs rugsėjis septembris सप्टेंबर सप्टें września wrz wrzesień septembrie сентября "
    "сент сентябрь сен septembra shtator sht септембар septemba செப்டம்பர் செப் กันยายน ก.ย eylül "
    "eyl вересня вересень ستمبر sentabr rujna ruj rujan",
    "october oct oktober أكتوبر oktyabr okt кастрычніка кас кастрычнік октомври окт অক্টোবর অক্টো "
    "oktobar octubre října říj říjen hydref hyd οκτωβρίου οκτ οκτώβριοσ oktoober urria urr اکتبر "
    "lokakuuta loka lokakuu oktubre octobre deireadhfómhair dfómh outubro out אוקטובר אוק अक्टूबर "
    "अक्टू október հոկտեմբերի հոկ հոկտեմբեր ottobre ott ოქტომბერი ოქტ қазан қаз spalio spal "
    "spalis oktobris ऑक्टोबर ऑक्टो października paź październik octombrie октября октябрь októbra "
    "tetor tet октобар oktoba அக்டோபர் அக் ตุลาคม ต.ค ekim eki жовтня жовт жовтень жов اکتوبر "
    "oktabr",
    "november nov نوفمبر noyabr noy лістапада ліс лістапад ноември ное নভেম্বর নভে novembar "
    "novembre listopadu lis listopad tachwedd tach νοεμβρίου νοε νοέμβριοσ νοέ noviembre azaroa "
    "aza نوامبر marraskuuta marras marraskuu nobyembre nob samhain samh novembro נובמבר נוב नवंबर "
    "नव նոյեմբերի նոյ նոյեմբեր nóvember nóv ნოემბერი ნოე қараша қар lapkričio lapkr lapkritis "
    "novembris नोव्हेंबर नोव्हें listopada noiembrie ноября нояб ноябрь ноя novembra nëntor nën "
    "новембар нов novemba நவம்பர் நவ พฤศจิกายน พ.ย kasım kas листопада лист листопад лис نومبر "
    "studenoga stu studeni",
    "december dec desember des ديسمبر dekabr dek снежня сне снежань декември дек ডিসেম্বর ডিসে "
    "decembar desembre prosince pro prosinec rhagfyr rhag dezember dez δεκεμβρίου δεκ δεκέμβριοσ "
    "diciembre dic detsember dets abendua abe دسامبر joulukuuta joulu joulukuu disyembre dis "
    "décembre déc nollaig noll decembro דצמבר דצמ दिसंबर दिस դեկտեմբերի դեկ դեկտեմբեր dicembre "
    "დეკემბერი დეკ желтоқсан жел gruodžio gruod gruodis decembris डिसेंबर डिसें disember grudnia "
    "gru grudzień dezembro decembrie декабря декабрь decembra dhjetor dhj децембар дец desemba "
    "டிசம்பர் டிச ธันวาคม ธ.ค aralık ara грудня груд грудень гру دسمبر prosinca prosinac",
)
_CROATIAN: Final = {"lip": 6, "srp": 7, "lis": 10, "listopad": 10, "listopada": 10}

#: Month, 1 to 12, by its name, case-folded, without the dot of an abbreviation.
MONTHS: Final[Mapping[str, int]] = {
    word: number for number, words in enumerate(_WORDS, 1) for word in words.split()
}


def month_of(word: str, language: str = "") -> int:
    """Return the month that a word means, 0 where it means none."""
    word = word.casefold().rstrip(".")
    if language.startswith(("hr", "bs")) and word in _CROATIAN:
        return _CROATIAN[word]
    return MONTHS.get(word, 0)
