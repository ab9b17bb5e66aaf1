export { Days, dateOf, dayIn, isDay, monthOf, type Range, weekOf } from '../realms/index.ts'
