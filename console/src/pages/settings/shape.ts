/** A colour with its name. */
export type NamedColour = readonly [name: string, colour: string]

export const coloursCap = 20
/** Same as on the public page. */
export const usualAccent = '#2f6fde'

export const isLogo = (text: string): boolean =>
  text === '' || (/^https:\/\/[!-~]+$/.test(text) && text.length <= 500 && URL.canParse(text))

export const areColours = (colours: readonly NamedColour[]): boolean =>
  colours.every(([name]) => /^[A-Za-z][A-Za-z0-9_-]{0,31}$/.test(name)) &&
  new Set(colours.map(([name]) => name)).size === colours.length

export const coloursIn = (colours: readonly NamedColour[]): Record<string, string> =>
  Object.fromEntries(colours)

/** The colour the public page uses: the one with that name, or the first. */
export const accentOf = (colours: readonly NamedColour[]): string =>
  (colours.find(([name]) => name === 'primary') ?? colours[0])?.[1] ?? usualAccent
