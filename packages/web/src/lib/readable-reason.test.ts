import { expect, it } from 'vitest'
import { readableReason } from './readable-reason.ts'

it.each([
  [
    'data.status: Invalid option: expected one of "ready"|"run"|"wash"|"hold"|"error"',
    'The field data.status must be one of ready, run, wash or 2 other values.',
  ],
  ['data.kind: Invalid option: expected one of "a"|"b"', 'The field data.kind must be one of a, b.'],
  ['time: Invalid input: expected string, received undefined', 'The field time is missing.'],
  ['data: Invalid input: expected string, received number', 'The field data must be of type string.'],
  ['specversion: Invalid input: expected "1.0"', 'The field specversion must be "1.0".'],
  [
    'data.message: Too big: expected string to have <=64000 characters',
    'The field data.message must have at most 64000 characters.',
  ],
  ['subject: must be an installed product id', 'The field subject must be an installed product id.'],
  ['the item: Invalid input', 'The item: Invalid input.'],
  [
    'No instrument "IP-1" is registered. Register it, then try the item again in the back office.',
    'No instrument "IP-1" is registered. Register it, then try the item again in the back office.',
  ],
])('the reason “%s” reads as a sentence', (reason, sentence) => expect(readableReason(reason)).toBe(sentence))
