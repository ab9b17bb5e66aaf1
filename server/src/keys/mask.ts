import { keyForm, linkForm, sessionForm, sessionKeyForm, tokenForm } from './text.ts'

const secrets = [keyForm, tokenForm, sessionForm, sessionKeyForm, linkForm].map((form) => ({
  text: new RegExp(form.pattern.slice(1, -1), 'g'),
  shown: `${form.prefix}…`,
}))

/** Text without keys: a key sent in the wrong place appears in no answer and no log line. */
export function withoutKeys(text: string): string {
  return secrets.reduce((masked, secret) => masked.replaceAll(secret.text, secret.shown), text)
}
