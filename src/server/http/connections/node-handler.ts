import type { IncomingMessage, ServerResponse } from 'node:http'

/** Answers from Node itself what it can, past the router. False: the router has to. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => boolean
