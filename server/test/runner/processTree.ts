import { readdirSync, readFileSync } from 'node:fs'

type Process = { readonly pid: number; readonly parent: number; readonly command: string }

/** The processes of this machine; none where the kernel does not list them as files. */
function processes(): Process[] {
  const listed = ((): string[] => {
    try {
      return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    } catch {
      return []
    }
  })()
  return listed.flatMap((pid) => {
    try {
      // The name, in brackets, may contain anything; the parent is the second field after it.
      const parent = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[1]
      return [
        { pid: Number(pid), parent: Number(parent), command: readFileSync(`/proc/${pid}/cmdline`, 'utf8') },
      ]
    } catch {
      return [] // it has ended meanwhile
    }
  })
}

/** Kills the child process whose last arguments are these files, and everything it has started. */
export function killGroup(files: readonly string[]): void {
  const all = processes()
  const tree = all.filter(
    ({ parent, command }) => parent === process.pid && command.endsWith(`\0${files.join('\0')}\0`),
  )
  // Collected before any is killed: a child whose parent has ended can't be found through it.
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid))
  for (const { pid } of tree) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // it has ended meanwhile
    }
  }
}
