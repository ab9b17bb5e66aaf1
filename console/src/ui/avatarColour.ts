const colours = [
  'bg-avatar-1-soft text-avatar-1',
  'bg-avatar-2-soft text-avatar-2',
  'bg-avatar-3-soft text-avatar-3',
  'bg-avatar-4-soft text-avatar-4',
  'bg-avatar-5-soft text-avatar-5',
  'bg-avatar-6-soft text-avatar-6',
  'bg-avatar-7-soft text-avatar-7',
  'bg-avatar-8-soft text-avatar-8',
] as const

/** The classes of an ID's colour: the same on every page, and spread evenly, also for consecutive IDs (FNV-1a). */
export function avatarColour(id: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  // The low bits alone would repeat with the last digits.
  return colours[((hash >>> 16) ^ hash) & 7] ?? colours[0]
}
