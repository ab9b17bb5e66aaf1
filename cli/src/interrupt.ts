import { exits } from './exits.ts'

/** Runs until it ends or Ctrl-C is pressed, and returns the exit code of the latter. */
export async function untilInterrupted(
  work: (signal: AbortSignal) => Promise<void>,
): Promise<number | undefined> {
  const { signal, stop } = stopper()
  process.once('SIGINT', stop)
  try {
    await work(signal)
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    process.off('SIGINT', stop)
  }
  return signal.aborted ? exits.interrupted.code : undefined
}

function stopper() {
  const controller = new AbortController()
  return { signal: controller.signal, stop: () => controller.abort() }
}
