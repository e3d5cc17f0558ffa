import { expect, test } from 'vitest'
import { rules } from '../../architecture.rules.mjs'
import { drawInto, drawPictures } from './picture.ts'
import { readProject } from './project.ts'

const server = 'packages/server/src'

function pictures(sources: Record<string, string>): Map<string, string> {
  return drawPictures(readProject(new Map(Object.entries(sources))), rules)
}

test('rooms are linked by what their files import, with dots where only tests do', () => {
  const drawn = pictures({
    'packages/contract/src/words.ts': 'export type Word = string\n',
    'packages/samples/src/word.ts':
      "import type { Word } from '@benchwatch/contract/words'\nexport const w: Word = ''\n",
    'packages/web/src/lib/a.ts': "import type { Word } from '@benchwatch/contract/words'\nexport const a: Word = ''\n",
    'packages/web/src/lib/a.test.ts':
      "import { w } from '@benchwatch/samples/word'\nimport '@benchwatch/contract/words'\n",
    'scripts/alone.ts': 'export const alone = 1\n',
  })
  expect(drawn.get('rooms')).toBe(
    '```mermaid\nflowchart BT\n  samples --> contract\n  web --> contract\n  web -.-> samples\n```\n\nWithout an arrow: `scripts`.\n',
  )
})

test('of levels and features an arrow is left out that others imply', () => {
  const drawn = pictures({
    [`${server}/app.ts`]: "import './features/kpi/a.ts'\nimport './db/b.ts'\n",
    [`${server}/db/b.ts`]: 'export const b = 1\n',
    [`${server}/features/kpi/a.ts`]: "import '../../db/b.ts'\nimport '../usage/c.ts'\nimport '../users/d.ts'\n",
    [`${server}/features/usage/c.ts`]: "import '../users/d.ts'\n",
    [`${server}/features/users/d.ts`]: 'export const d = 1\n',
    [`${server}/features/system/e.ts`]: 'export const e = 1\n',
  })
  expect(drawn.get('server levels')).toBe('```mermaid\nflowchart LR\n  app --> features\n  features --> db\n```\n')
  expect(drawn.get('server features')).toBe(
    '```mermaid\nflowchart LR\n  kpi --> usage\n  usage --> users\n```\n\nWithout an arrow: `system`.\n',
  )
})

test('a page keeps its words, and gets the picture that it names', () => {
  const page = 'Before.\n<!-- picture: rooms -->\nold\n<!-- /picture -->\nBehind.\n'
  const rooms = new Map([['rooms', 'new\n']])
  const drawn = drawInto(page, rooms)
  expect(drawn).toBe('Before.\n<!-- picture: rooms -->\nnew\n<!-- /picture -->\nBehind.\n')
  expect(drawInto(drawn, rooms)).toBe(drawn)
})

test('a page without a place, or with one for an unknown picture, is reported', () => {
  expect(() => drawInto('Words.', new Map())).toThrow('no place for a picture')
  expect(() => drawInto('<!-- picture: sky -->\n<!-- /picture -->', new Map([['rooms', '']]))).toThrow(
    'There is no picture "sky". Pictures: rooms.',
  )
})
