const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ς: 'σ',
  _: ' ',
  '-': ' ',
  '.': ' ',
}

/** A text as the server compares names: without case, accents and styled letters; `_`, `-`, `.` are spaces. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[ßæœøłđıς_.-]/g, (letter) => letters[letter] ?? letter)

/** Whether every word of a typed text is in another text. */
export function hasWords(text: string, typed: string): boolean {
  const within = fold(text)
  return fold(typed)
    .split(' ')
    .every((word) => within.includes(word))
}
