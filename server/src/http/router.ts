import { RefusalError, refuse } from '../errors.ts'
import type { Method, Route } from './route/route.ts'

type Node = {
  readonly literals: Map<string, Node>
  parameter: Node | undefined
  /** Matches all remaining segments. */
  rest: Node | undefined
  readonly routes: Map<Method, Route>
}

const makeNode = (): Node => ({
  literals: new Map(),
  parameter: undefined,
  rest: undefined,
  routes: new Map(),
})

/** Finds the route for a method and raw path segments. A literal takes precedence over a parameter. */
export class Router {
  readonly #root = makeNode()

  constructor(routes: readonly Route[]) {
    for (const route of routes) this.#add(route)
  }

  #add(route: Route): void {
    let node = this.#root
    for (const segment of route.segments) {
      node = below(node, segment)
    }
    for (const method of route.methods) {
      if (node.routes.has(method)) throw new Error(`two routes for ${method} ${route.path}`)
      node.routes.set(method, route)
    }
  }

  match(method: string, segments: readonly string[]): Route {
    const node = find(this.#root, segments, 0)
    if (!node) throw refuse('route_not_found', 'No route has this path. /docs lists all routes.')
    const route = node.routes.get((method === 'HEAD' ? 'GET' : method) as Method)
    if (!route) throw notAllowed(method, [...node.routes.keys()])
    return route
  }
}

/** The node for the next segment of a route's path; created if missing. */
function below(node: Node, segment: string): Node {
  if (segment.endsWith('*}')) {
    node.rest ??= makeNode()
    return node.rest
  }
  if (segment.startsWith('{')) {
    node.parameter ??= makeNode()
    return node.parameter
  }
  const literal = node.literals.get(segment) ?? makeNode()
  node.literals.set(segment, literal)
  return literal
}

function find(node: Node, segments: readonly string[], index: number): Node | undefined {
  const segment = segments[index]
  if (segment === undefined) return node.routes.size > 0 ? node : undefined
  const literal = node.literals.get(segment)
  const found = literal && find(literal, segments, index + 1)
  if (found) return found
  const named = node.parameter && segment !== '' ? find(node.parameter, segments, index + 1) : undefined
  return named ?? node.rest
}

function notAllowed(method: string, methods: readonly Method[]): RefusalError {
  const allow = methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])).join(', ')
  return new RefusalError({
    code: 'method_not_allowed',
    detail: `${method} is not allowed here. Allowed: ${allow}.`,
    headers: { allow },
  })
}
