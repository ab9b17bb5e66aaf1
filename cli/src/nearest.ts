/** Damerau-Levenshtein distance. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const change = (rows[i - 1]?.[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = swapped ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : change
      row.push(Math.min(change, swap, (rows[i - 1]?.[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}

const longest = 40

/** The most similar known word; undefined when none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const given = word.slice(0, longest).toLowerCase()
  const begun = known.filter((one) => given.length > 1 && one.startsWith(given))
  if (begun.length === 1) return begun[0]
  const [best] = known
    .map((one) => ({ one, far: distance(given, one) }))
    .sort((a, b) => a.far - b.far)
    .filter(({ one, far }) => far <= Math.max(1, Math.floor(one.length / 3)))
  return best?.one
}
