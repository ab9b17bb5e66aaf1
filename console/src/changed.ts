/** Only the fields that differ: fields that others changed meanwhile are not sent and not overwritten. */
export function changedOf<T extends object>(before: T, now: T): Partial<T> {
  const same = (name: keyof T) => JSON.stringify(before[name]) === JSON.stringify(now[name])
  const changed = (Object.keys(now) as (keyof T)[]).filter((name) => !same(name))
  return Object.fromEntries(changed.map((name) => [name, now[name]])) as Partial<T>
}
