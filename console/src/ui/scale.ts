/** About four round, whole tick values from 0. */
export function scaleOf(values: readonly number[]): {
  readonly top: number
  readonly marks: readonly number[]
} {
  const highest = values.reduce((most, value) => Math.max(most, value), 0)
  const rough = Math.max(1, highest) / 4
  const size = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, [1, 2, 2.5, 5, 10].map((one) => one * size).find((one) => one >= rough) ?? rough)
  const whole = Math.ceil(step)
  const count = Math.max(1, Math.ceil(highest / whole))
  return { top: whole * count, marks: Array.from({ length: count + 1 }, (_, at) => at * whole) }
}
