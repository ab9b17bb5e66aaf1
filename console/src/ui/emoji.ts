const size = 16
const found = new Map<string, boolean>()

/** Whether a font of this device has it. Else the picture of a code point without a character would be shown. */
export function hasEmoji(emoji: string): boolean {
  const known = found.get(emoji)
  if (known !== undefined) return known
  const has = pictureOf(emoji) !== pictureOf('\u{10FFFF}')
  found.set(emoji, has)
  return has
}

function pictureOf(text: string): string {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = size
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return text
  context.textBaseline = 'top'
  context.font = `${size - 4}px sans-serif`
  context.fillText(text, 0, 0)
  return context.getImageData(0, 0, size, size).data.join()
}
