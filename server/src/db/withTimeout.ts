/** What comes of this work, or what is made in its place when it takes longer; then nobody waits for it. */
export function inTime<T>(work: Promise<T>, withinMs: number, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), withinMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
