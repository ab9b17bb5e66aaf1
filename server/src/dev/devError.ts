/** Something that the one who runs it can mend; the message says how. */
export class DevError extends Error {}
