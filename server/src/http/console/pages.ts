import { publicRoute } from '../route/route.ts'

const page = publicRoute(
  {
    operationId: 'getConsoleFile',
    tag: 'Console',
    methods: ['GET'],
    path: '/console/{path*}',
    summary: 'Open the console',
    writes: false,
  },
  ({ params, headers }, { pages }) => {
    const takesGzip = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))
    return pages.find(params['path*'] ?? '').reply(takesGzip)
  },
)

const toPage = publicRoute(
  {
    operationId: 'openConsole',
    tag: 'Console',
    methods: ['GET'],
    path: '/console',
    summary: 'Open the console',
    writes: false,
  },
  (_request, { site }) => ({
    status: 308,
    body: '',
    type: 'text/plain',
    headers: { location: `${site.basePath}/console/` },
  }),
)

export const consolePages = [toPage, page]
