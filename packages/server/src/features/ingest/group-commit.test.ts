import { expect, it } from 'vitest'
import { createGroupCommit } from './group-commit.ts'

function recorder({ largestGroup = 100, parallel = 1 } = {}) {
  const groups: number[][] = []
  let release: () => void = () => undefined
  let held: Promise<void> | undefined
  const commit = createGroupCommit<number, string>({
    waitMs: 1,
    largestGroup,
    parallel,
    sizeOf: (work) => (work < 0 ? 1 : work),
    // The tens digit is the sender: 11 and 12 come from the first, 21 from the second.
    senderOf: (work) => Math.floor(work / 10),
    concernsAll: (error) => String(error).includes('-99'),
    async store(group) {
      groups.push([...group])
      await held
      if (group.some((work) => work < 0)) throw new Error(`poison ${group.join()}`)
      return group.map((work) => `stored ${work}`)
    },
  })
  return {
    groups,
    commit,
    hold() {
      held = new Promise((resolve) => {
        release = resolve
      })
    },
    release: () => release(),
  }
}

it('stores what arrives together in one group and answers each in order', async () => {
  const { commit, groups } = recorder()
  expect(await Promise.all([1, 2, 3].map((work) => commit.submit(work)))).toEqual(['stored 1', 'stored 2', 'stored 3'])
  expect(groups).toEqual([[1, 2, 3]])
})

it('gathers the next group while one is being stored', async () => {
  const { commit, groups, hold, release } = recorder()
  hold()
  const first = commit.submit(1)
  await expect.poll(() => groups.length).toBe(1)
  const others = [commit.submit(2), commit.submit(3)]
  expect(groups).toEqual([[1]])
  release()
  await Promise.all([first, ...others])
  expect(groups).toEqual([[1], [2, 3]])
})

it('stores the work of several senders side by side, and that of one in its order', async () => {
  const { commit, groups, hold, release } = recorder({ parallel: 2 })
  hold()
  const first = commit.submit(11)
  await expect.poll(() => groups).toEqual([[11]])
  const others = [12, 21, 13].map((work) => commit.submit(work))
  await expect.poll(() => groups).toEqual([[11], [21]])
  release()
  await Promise.all([first, ...others])
  expect(groups).toEqual([[11], [21], [12, 13]])
})

it('keeps groups below their size, and takes a single larger piece', async () => {
  const { commit, groups } = recorder({ largestGroup: 10 })
  await Promise.all([6, 4, 1, 30, 2].map((work) => commit.submit(work)))
  expect(groups).toEqual([[6, 4], [1], [30], [2]])
})

it('rejects only the piece that cannot be stored', async () => {
  const { commit, groups } = recorder()
  const settled = await Promise.allSettled([1, -1, 2].map((work) => commit.submit(work)))
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(groups).toEqual([[1, -1, 2], [1], [-1], [2]])
  expect(await commit.submit(5)).toBe('stored 5')
})

it('fails all at once when nothing can be stored', async () => {
  const { commit, groups } = recorder()
  const settled = await Promise.allSettled([1, -99, 2].map((work) => commit.submit(work)))
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(groups).toHaveLength(1)
})
