import { keyForm, linkForm, sessionForm, sessionKeyForm, tokenForm } from './text.ts'

const secrets = [keyForm, tokenForm, sessionForm, sessionKeyForm, linkForm].map((form) => ({
  text: new RegExp(form.pattern.slice(1, -1), 'g'),
  shown: `${form.prefix}…`,
}))

/** Text without keys: one that was sent in the wrong place is told by no answer and no line of the log. */
export function withoutKeys(text: string): string {
  return secrets.reduce((masked, secret) => masked.replaceAll(secret.text, secret.shown), text)
}
