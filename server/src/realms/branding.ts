/**
 * Valid settings of a realm. They are shown in pages, so they must not contain anything a page would execute.
 */

export const coloursCap = 20
export const logoCap = 500

/** The URL of an image: no other scheme, and nothing that would end an attribute. */
export const isLogo = (value: string): boolean =>
  value.length <= logoCap &&
  /^https:\/\/[^\s"'<>\\^`{|}]+$/.test(value) &&
  /^[\x21-\x7e]*$/.test(value) &&
  URL.canParse(value)

export function areColours(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  if (Object.keys(value).length > coloursCap) return false
  return Object.entries(value).every(([name, colour]) => isName(name) && isColour(colour))
}

const isName = (name: string): boolean => /^[A-Za-z][A-Za-z0-9_-]{0,31}$/.test(name)
const isColour = (colour: unknown): boolean => typeof colour === 'string' && /^#[0-9a-fA-F]{6}$/.test(colour)

/** By name only: PostgreSQL reads offsets with the opposite sign. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
