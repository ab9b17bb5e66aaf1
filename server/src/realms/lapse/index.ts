export { dayOfLapse } from './dayOfLapse.ts'
export { floorOf } from './floor.ts'
export * from './rule.ts'
export { stepsColumn, stepsOf } from './steps.ts'
