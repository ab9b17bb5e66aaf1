/** The first so many of what comes one by one. */
export async function take<T>(source: AsyncIterable<T>, count: number): Promise<readonly T[]> {
  const taken: T[] = []
  for await (const one of source) {
    taken.push(one)
    if (taken.length >= count) break
  }
  return taken
}
