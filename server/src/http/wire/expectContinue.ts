import type { RequestListener } from 'node:http'

/**
 * Serves a request that asks for `100 Continue` before it sends its body. One that was sent behind another
 * on its connection is served in its turn: answered before, Node would write the 100 between the head and
 * the body of its answer.
 */
export function continueInTurn(door: RequestListener): RequestListener {
  return (request, response) => {
    const serve = () => {
      response.writeContinue()
      door(request, response)
    }
    // A response has its socket when those before it are sent.
    if (response.socket) serve()
    else response.once('socket', serve)
  }
}
