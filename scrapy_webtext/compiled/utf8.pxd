"""Questions about characters where they lie in UTF-8; compiled into each twin."""


cdef inline int blank_size(const unsigned char* at, const unsigned char* end) noexcept nogil:
    """Return the bytes of the white space that begins here, as str.isspace knows it; 0 for none."""
    cdef unsigned char first = at[0]
    if first < 0x80:
        return first == 0x20 or 0x09 <= first <= 0x0D or 0x1C <= first <= 0x1F
    if first == 0xC2:
        return 2 if end - at > 1 and (at[1] == 0x85 or at[1] == 0xA0) else 0
    if not 0xE1 <= first <= 0xE3 or end - at < 3:
        return 0
    if first == 0xE1:  # U+1680
        return 3 if at[1] == 0x9A and at[2] == 0x80 else 0
    if first == 0xE3:  # U+3000
        return 3 if at[1] == 0x80 and at[2] == 0x80 else 0
    if at[1] == 0x81:  # U+205F
        return 3 if at[2] == 0x9F else 0
    # U+2000 to U+200A, U+2028, U+2029, U+202F
    if at[1] == 0x80 and (at[2] <= 0x8A or at[2] == 0xA8 or at[2] == 0xA9 or at[2] == 0xAF):
        return 3
    return 0


cdef inline const unsigned char* last_char(
    const unsigned char* begin, const unsigned char* end
) noexcept nogil:
    """Return where the last character of a text begins that is not empty."""
    end -= 1
    while end > begin and end[0] & 0xC0 == 0x80:
        end -= 1
    return end
