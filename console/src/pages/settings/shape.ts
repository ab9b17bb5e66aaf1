/** A colour with its name. */
export type Named = readonly [name: string, colour: string]

export const coloursCap = 20
export const usualAccent = '#2f5bd8'

export const isLogo = (text: string): boolean =>
  text === '' || (/^https:\/\/[!-~]+$/.test(text) && text.length <= 500 && URL.canParse(text))

export const areColours = (colours: readonly Named[]): boolean =>
  colours.every(([name]) => /^[A-Za-z][A-Za-z0-9_-]{0,31}$/.test(name)) &&
  new Set(colours.map(([name]) => name)).size === colours.length

export const coloursIn = (colours: readonly Named[]): Record<string, string> => Object.fromEntries(colours)

/** What the public page takes: the one with that name, or the first. */
export const accentOf = (colours: readonly Named[]): string =>
  (colours.find(([name]) => name === 'primary') ?? colours[0])?.[1] ?? usualAccent

/** Black or white, whichever is read better on a ground of this colour. */
export function inkOn(colour: string): '#000000' | '#ffffff' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  return (light + 0.05) / 0.05 > 1.05 / (light + 0.05) ? '#000000' : '#ffffff'
}
