/** What is not as it was: what others have changed meanwhile is not sent, and stays as they left it. */
export function changedOf<T extends object>(before: T, now: T): Partial<T> {
  const same = (name: keyof T) => JSON.stringify(before[name]) === JSON.stringify(now[name])
  const changed = (Object.keys(now) as (keyof T)[]).filter((name) => !same(name))
  return Object.fromEntries(changed.map((name) => [name, now[name]])) as Partial<T>
}
