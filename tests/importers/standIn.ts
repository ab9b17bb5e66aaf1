import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ImporterName } from '../../cli/src/importers/sources.ts'
import type { StandInMember } from './crowd.ts'

export const token = 'the-token-of-the-stand-in'
export const places = { server: '159962941502783488', channel: '5b2e2007760aeb7729487dab' }

type Page = { readonly from: number; readonly size: number }
type Service = {
  readonly path: RegExp
  readonly header?: readonly [name: string, value: string]
  /** Which members a query asks for. */
  readonly page: (query: URLSearchParams) => Page
  /** `list` is the JSON of a page. */
  readonly body: (list: string, all: number, count: number) => string
  readonly member: (member: StandInMember) => string
  /** The status after the end, where it is not an empty list. */
  readonly endStatus?: number
  /** What it adds to a 429 that asks for 50 ms. */
  readonly retryAfter: string
}

const numberIn = (query: URLSearchParams, name: string): number => Number(query.get(name) ?? 0)
const idText = ({ id, isNumber }: StandInMember): string => (isNumber ? id : JSON.stringify(id))
const thousand = (page: number): Page => ({ from: page * 1_000, size: 1_000 })

/** Each of them as its public clients and documentation describe it: cli/src/importers. None was tried. */
const services: Readonly<Record<Exclude<ImporterName, 'csv'>, Service>> = {
  mee6: {
    path: new RegExp(`^/api/plugins/levels/leaderboard/${places.server}$`),
    page: (query) => thousand(numberIn(query, 'page')),
    body: (list) => `{"admin":false,"page":0,"players":${list}}`,
    member: (one) => {
      const username = JSON.stringify(one.name)
      return `{"id":${idText(one)},"username":${username},"xp":${one.points},"avatar":"a","level":3}`
    },
    retryAfter: '0.05',
  },
  tatsu: {
    path: new RegExp(`^/v1/guilds/${places.server}/rankings/all$`),
    header: ['authorization', token],
    page: (query) => ({ from: numberIn(query, 'offset'), size: 100 }),
    body: (list, _all, count) => `{"guild_id":"${places.server}","rankings":${count > 0 ? list : 'null'}}`,
    member: (one) => `{"rank":1,"score":${one.points},"user_id":${idText(one)}}`,
    retryAfter: '0.05',
  },
  unbelievaboat: {
    path: new RegExp(`^/api/v1/guilds/${places.server}/users$`),
    header: ['authorization', token],
    page: (query) => thousand(numberIn(query, 'page') - 1),
    body: (list, all) => `{"users":${list},"total_pages":${Math.ceil(all / 1_000)}}`,
    member: (one) => `{"rank":"1","user_id":${idText(one)},"cash":0,"bank":0,"total":${one.points}}`,
    retryAfter: '50',
  },
  amari: {
    path: new RegExp(`^/api/v1/guild/leaderboard/${places.server}$`),
    header: ['authorization', token],
    page: (query) => thousand(numberIn(query, 'page') - 1),
    body: (list, all, count) =>
      `{"guild":"${places.server}","count":${count},"total_count":${all},"data":${list}}`,
    member: (one) =>
      `{"id":${idText(one)},"username":${JSON.stringify(one.name)},"exp":${one.points},"level":5}`,
    endStatus: 501,
    retryAfter: '0.05',
  },
  lurkr: {
    path: new RegExp(`^/v2/levels/${places.server}$`),
    header: ['x-api-key', token],
    page: (query) => ({ from: (numberIn(query, 'page') - 1) * 100, size: 100 }),
    body: (list) => `{"isManager":false,"levels":${list}}`,
    member: (one) =>
      `{"userId":${idText(one)},"xp":${one.points},"user":{"username":${JSON.stringify(one.name)}}}`,
    retryAfter: '0.05',
  },
  streamelements: {
    path: new RegExp(`^/kappa/v2/points/${places.channel}/top$`),
    header: ['authorization', `Bearer ${token}`],
    page: (query) => ({ from: numberIn(query, 'offset'), size: 1_000 }),
    body: (list, all) => `{"_total":${all},"users":${list}}`,
    member: (one) => `{"username":${JSON.stringify(one.id)},"points":${one.points}}`,
    retryAfter: '0.05',
  },
}

/**
 * A stand-in for a service on loopback: it pages, limits rates and fails now and then. It says nothing
 * about the live service, only that the importer reads what is described.
 */
export class StandIn {
  readonly #service: Service
  readonly #server: Server
  #members: readonly StandInMember[]
  #requests = 0
  /** Called with the number of each request. */
  onRequest: (count: number) => void = () => {}
  /** What it has answered with, for the report. */
  readonly answered = { pages: 0, limits: 0, failures: 0 }

  constructor(name: Exclude<ImporterName, 'csv'>, members: readonly StandInMember[]) {
    this.#service = services[name]
    this.#members = members
    this.#server = createServer((request, response) => this.#answer(request, response))
  }

  async start(): Promise<void> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done))
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  set members(members: readonly StandInMember[]) {
    this.#members = members
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    const { path, header } = this.#service
    this.#requests += 1
    this.onRequest(this.#requests)
    if (!path.test(pathname)) response.writeHead(404).end('{}')
    else if (header && request.headers[header[0]] !== header[1]) response.writeHead(401).end('{}')
    else if (this.#requests % 5 === 2) this.#limit(response)
    else if (this.#requests % 17 === 6) this.#fail(response)
    else this.#page(searchParams, response)
  }

  #limit(response: ServerResponse): void {
    this.answered.limits += 1
    response.writeHead(429, { 'retry-after': this.#service.retryAfter }).end('{"message":"slow down"}')
  }

  #fail(response: ServerResponse): void {
    this.answered.failures += 1
    const kind = this.answered.failures % 3
    if (kind === 0) response.destroy()
    else if (kind === 1) response.writeHead(502).end('<html>Bad gateway</html>')
    else response.writeHead(200, { 'content-length': '1000' }).write('{"cut off', () => response.destroy())
  }

  #page(query: URLSearchParams, response: ServerResponse): void {
    const { page, body, member, endStatus } = this.#service
    const all = this.#members
    const asked = page(query)
    const found = all.slice(asked.from, asked.from + asked.size)
    this.answered.pages += 1
    if (found.length === 0 && endStatus !== undefined) response.writeHead(endStatus).end('{"error":"end"}')
    else {
      // As many as are left of 30 a second.
      const left = 29 - (this.#requests % 30)
      response.setHeader('x-ratelimit-remaining', left)
      response.setHeader('x-ratelimit-reset', '0.1')
      response.end(body(`[${found.map(member).join(',')}]`, all.length, found.length))
    }
  }
}
