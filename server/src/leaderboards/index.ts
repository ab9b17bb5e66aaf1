export * from './leaderboards.ts'
export { freshForMs, type PublicBoard, PublicBoards } from './publicBoards.ts'
