import type { RequestListener } from 'node:http'

/**
 * Serves a request that waits for `100 Continue` before it sends its body. A pipelined one is served in its
 * turn: earlier, Node would write the 100 between the head and the body of its response.
 */
export function continueInTurn(listener: RequestListener): RequestListener {
  return (request, response) => {
    const serve = () => {
      response.writeContinue()
      listener(request, response)
    }
    // A response gets its socket when the previous ones are sent.
    if (response.socket) serve()
    else response.once('socket', serve)
  }
}
