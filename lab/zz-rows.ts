import { measureRows } from './bench/groups/rows.ts'
const port = process.argv[2] ?? '4400'
const lines: any[] = []
await measureRows({ product: { baseUrl: `http://127.0.0.1:${port}` }, data: { logins: { all: 'support@benchwatch.example' }, password: 'Benchwatch-2026!' },
  report(m: any) { lines.push(m); console.log(m.name, 'p50', Math.round(m.summary?.p50 ?? 0), 'p95', Math.round(m.value)) } } as any)
