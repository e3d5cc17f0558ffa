import { describe, expect, it } from 'vitest'
import { codeIn, linkPieces } from './outbox-message.tsx'

describe('the code of a message', () => {
  it.each([
    ['123456 is your Benchwatch code. It is valid for 3 minutes.\n\n@console.example #123456', '123456'],
    ['Type this:\n\n    481516\n\nThe code is valid for 10 minutes.', '481516'],
    ['Your code: 004213.', '004213'],
    ['(654321)', '654321'],
    ['Event ORC-104882 was closed.', null],
    ['Call +46701234567 or 1234567.', null],
    ['https://console.example/x/123456', null],
    ['https://console.example/x?code=123456', null],
    ['Version 123456.7', null],
    ['Part AB123456', null],
    ['', null],
  ])('in %j is %s', (text, code) => {
    expect(codeIn(text)).toBe(code)
  })
})

describe('web addresses in a text', () => {
  const linked = (text: string) => linkPieces(text).map(({ text, isLink }) => (isLink ? `[${text}]` : text))

  it.each([
    ['Sign in: http://localhost:8080/login', ['Sign in: ', '[http://localhost:8080/login]']],
    ['(See https://a.example/x?y=1&z=2).', ['(See ', '[https://a.example/x?y=1&z=2]', ').']],
    ['https://a.example/, https://b.example!', ['[https://a.example/]', ', ', '[https://b.example]', '!']],
    ['<https://a.example/x>', ['<', '[https://a.example/x]', '>']],
    ['javascript:alert(1) and http://', ['javascript:alert(1) and http://']],
    ['', []],
  ])('are found in %j', (text, pieces) => {
    expect(linked(text)).toEqual(pieces)
    expect(
      linkPieces(text)
        .map(({ text: piece }) => piece)
        .join(''),
    ).toBe(text)
  })
})
