import { useWords } from '../../preferences.tsx'
import { useRealm } from '../../realm.tsx'
import { Code, Copy, Time } from '../../ui/bits.tsx'
import { Fact, Page, Section } from '../../ui/page.tsx'
import { Notice } from '../../ui/states.tsx'
import { General } from './general.tsx'
import { Limits } from './limits.tsx'
import { Look } from './look.tsx'

/** Name, branding and limits of a realm. */
export function SettingsPage() {
  const { settings: words, states } = useWords()
  const { data, can } = useRealm()
  return (
    <Page title={words.title}>
      {!can('realm:admin') && <Notice tone="info">{states.readOnlyHere}</Notice>}
      <General />
      <Look />
      <div className="grid gap-5 lg:grid-cols-2">
        <Limits />
        <Section title={words.about}>
          <dl>
            <Fact name={words.id}>
              <span className="inline-flex items-center gap-1">
                <Code>{data.id}</Code>
                <Copy text={data.id} />
              </span>
            </Fact>
            <Fact name={words.created}>
              <Time at={data.createdAt} />
            </Fact>
          </dl>
        </Section>
      </div>
    </Page>
  )
}
