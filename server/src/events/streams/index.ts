export { type OpenStream, type Start, type StreamQuery, Streams } from './streams.ts'
