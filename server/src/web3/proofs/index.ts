export { PageLinks } from './pageLinks.ts'
export * from './proofs.ts'
