import { after } from 'node:test'
import { type App, startApp } from '../../server/src/app/index.ts'
import { type Suite, testConfig } from './suite.ts'

/**
 * Further servers on a suite's database, started on first use and stopped after the file's tests.
 * Called before suite(), so that they are stopped before the database is dropped.
 */
export function moreApps(): (made: Suite, extra?: Record<string, string>) => Promise<App> {
  const started = new Map<string, Promise<App>>()
  after(async () => {
    for (const app of started.values()) await (await app).close()
  })
  return (made, extra = {}) => {
    const name = JSON.stringify(extra)
    const app = started.get(name) ?? startApp(testConfig(made.database, extra))
    started.set(name, app)
    return app
  }
}
