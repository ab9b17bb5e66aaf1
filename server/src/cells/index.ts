export { CellMismatch, Directory, type KeyPlace, type NewRealmPlace, noticedMs } from './directory.ts'
export { Reconciliation } from './reconcile.ts'
export {
  addCell,
  addKeyPlaces,
  type CellRow,
  type CellState,
  hasRealms,
  type ListedPlace,
  listCells,
  listKeys,
  type PlacePage,
  type PlaceRow,
  readThisCell,
  setState,
  setThisCell,
} from './store.ts'
export { CellUpkeep } from './upkeep.ts'
