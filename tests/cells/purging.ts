import type { runCommand } from '../support/process.ts'
import type { CellStage } from './stage.ts'

/** Deletes what a realm has left in cells that it has moved away from. */
export function runPurge(stage: CellStage, realm: string): ReturnType<typeof runCommand> {
  return stage.command(['realm', 'move', realm, '--purge', '--now'])
}

/** The same; throws unless it succeeds. */
export async function purgeCopies(stage: CellStage, realm: string): Promise<void> {
  const { code, out, err } = await runPurge(stage, realm)
  if (code !== 0) throw new Error(`purge of what ${realm} has left: ${out}${err}`)
}
