import { beforeEach, expect, it } from 'vitest'
import { rememberPath, takeRememberedPath } from './remembered-path.ts'

beforeEach(() => sessionStorage.clear())

it('leads back once', () => {
  rememberPath('/events/104882?x=1')
  expect(takeRememberedPath()).toBe('/events/104882?x=1')
  expect(takeRememberedPath()).toBe('/events')
})

it.each(['/', '/?a=1', '/login', '/login/', '/login?next=x', '//elsewhere.example', 'https://elsewhere.example'])(
  'leads to the events instead of %s',
  (path) => {
    rememberPath(path)
    expect(takeRememberedPath()).toBe('/events')
  },
)

it('does not mistake a longer name for the login', () => {
  rememberPath('/login-history')
  expect(takeRememberedPath()).toBe('/login-history')
})
