export { dayOfLapse } from './dayOfLapse.ts'
export * from './rule.ts'
export { stepsColumn, stepsOf } from './steps.ts'
