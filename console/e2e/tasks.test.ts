import assert from 'node:assert/strict'
import { it } from 'node:test'
import { doTasks } from './tasks/index.ts'

it('the daily tasks of a manager take few clicks, and few Tabs by keyboard alone', async () => {
  const lines: string[] = []
  const { problems } = await doTasks((line) => lines.push(line))
  assert.deepEqual(problems, [], lines.join('\n'))
})
