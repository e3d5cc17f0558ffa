import { expect, test } from 'vitest'
import { rules } from '../../architecture.rules.mjs'
import { readProject } from './project.ts'
import { describeShape } from './shape.ts'

const sources = {
  'packages/web/src/lib/tiny.ts': 'export const tiny = 1\n',
  'packages/web/src/lib/user.ts': "import { tiny } from './tiny.ts'\nexport const used = tiny\n",
  'packages/web/src/lib/shared.ts': 'export const shared = 1\n',
  'packages/web/src/lib/first.ts': "import { shared } from './shared.ts'\nexport const first = shared\n",
  'packages/web/src/lib/second.ts': "import { shared } from './shared.ts'\nexport const second = shared\n",
  'packages/web/src/lib/user.test.ts': "import { used } from './user.ts'\nused.toFixed()\n",
}

test('the shape lists lines and files of rooms, full folders and small files with one user', () => {
  const shape = describeShape(readProject(new Map(Object.entries(sources))), rules, Object.keys(sources))
  expect(shape).toMatch(/^ {2}web +5 files +8 lines$/m)
  expect(shape).toMatch(/^ {2}packages\/web\/src\/lib +6 files$/m)
  expect(shape).toContain('one user in their folder: 1\n')
  expect(shape).toMatch(/tiny\.ts +1 lines {2}only user\.ts uses it$/m)
})
