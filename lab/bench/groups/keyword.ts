import { FIRST_ID } from '../../generate/event-rows.ts'
import { FREQUENT_WORD, RARE_WORD } from '../../generate/event-texts.ts'
import { type Fixture, measureTimes } from '../fixture.ts'
import { pageSql, queryFloor, scannedTotalsSql, whereOf } from '../floors.ts'
import { searchGoal } from '../goals.ts'
import { askList, rangeOf } from '../searches.ts'

/** A kind of keyword, and its condition in SQL once the small tables have been searched. */
interface Keyword {
  kind: string
  keyword(index: number): string
  condition(index: number): Promise<string>
}

/** Measures the list with its totals by keywords: rare and frequent ones, numbers, several words, one letter. */
export async function measureKeywords(fixture: Fixture): Promise<void> {
  for (const { kind, keyword, condition } of keywords(fixture)) {
    const conditions = new Map<string, string>()
    for (const range of ['7 days', 'unbounded'] as const) {
      const query = (index: number) => ({ keyword: keyword(index) })
      await measureTimes(fixture, {
        ...{ group: 'keyword', name: `keyword ${kind}, ${range}` },
        ask: (index) => askList(fixture.clients.all, { range: rangeOf(range), query: query(index) }),
        floor: {
          how: 'page and totals in SQL, keyword resolved',
          ask: async (index) => {
            const known = conditions.get(keyword(index)) ?? (await condition(index))
            conditions.set(keyword(index), known)
            const search = { range: rangeOf(range), filter: {}, conditions: [known] }
            await queryFloor(fixture.sql, { page: pageSql(whereOf(search)), totals: scannedTotalsSql(search) })
          },
        },
        goal: searchGoal(fixture, { kind: 'keyword', range }),
      })
    }
  }
}

function keywords({ sql, data }: Fixture): Keyword[] {
  const anywhere = async (word: string) => {
    const pattern = `%${word}%`
    const found = async (table: string, column: string) => {
      const { rows } = await sql.query<{ id: number }>(`SELECT id FROM ${table} WHERE ${column} LIKE $1`, [pattern])
      return rows.map(({ id }) => id)
    }
    const arms = [
      ['instrument_id', await found('instrument', 'search_folded')],
      ['component_id', await found('component', 'name_folded')],
      ['customer_id', await found('customer', 'name_folded')],
      ['site_id', await found('site', 'place_folded')],
      ['claimed_by', await found('app_user', 'name_folded')],
    ] as const
    const looked = arms
      .filter(([, ids]) => ids.length > 0)
      .map(([column, ids]) => `e.${column} = ANY('{${ids.join(',')}}'::int[])`)
    return `(${[...looked, ...(word.length > 2 ? [`e.text_folded LIKE '${pattern}'`] : [])].join(' OR ')})`
  }
  const instruments = data.gateways.flatMap((gateway) => gateway.instruments)
  const spread = (index: number, count: number) => (index * 7919) % count
  const instrument = (index: number) => instruments[spread(index, instruments.length)] ?? ''
  const number = (index: number) => FIRST_ID + spread(index * 104_729, data.events)
  return [
    { kind: 'rare', keyword: () => RARE_WORD, condition: () => anywhere(RARE_WORD) },
    { kind: 'frequent', keyword: () => FREQUENT_WORD, condition: () => anywhere(FREQUENT_WORD) },
    {
      kind: 'event number',
      keyword: (index) => `ORC-${number(index)}`,
      condition: async (index) => `e.id = ${number(index)}`,
    },
    {
      kind: 'installed product id',
      keyword: instrument,
      condition: (index) => anywhere(instrument(index).toLowerCase()),
    },
    {
      kind: 'two words',
      keyword: () => `${FREQUENT_WORD} pump`,
      condition: async () => `${await anywhere(FREQUENT_WORD)} AND ${await anywhere('pump')}`,
    },
    { kind: 'one letter', keyword: () => 'p', condition: () => anywhere('p') },
  ]
}
