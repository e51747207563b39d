/**
 * Dates as HTTP and RFC 3339 write them, read strictly and as GMT. Never Date.parse: it takes '-3' for a year and the
 * asctime form for local time.
 */
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH = `(?<month>${MONTHS.join('|')})`;
const TIME = '(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)';
const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const LONG_DAY = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';

const HTTP_DATES = [
  new RegExp(`^${DAY}, (?<day>\\d\\d) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`),
  new RegExp(`^${LONG_DAY}, (?<day>\\d\\d)-${MONTH}-(?<year>\\d\\d) ${TIME} GMT$`),
  new RegExp(`^${DAY} ${MONTH} (?<day>\\d\\d| \\d) ${TIME} (?<year>\\d{4})$`),
];
const RFC_3339 = new RegExp(
  `^(?<year>\\d{4})-(?<month>\\d\\d)-(?<day>\\d\\d)[Tt]${TIME}(?<fraction>\\.\\d+)?(?:[Zz]|(?<sign>[+-])(?<offset>\\d\\d:\\d\\d))$`,
);

type Fields = Readonly<Record<string, string | undefined>>;

/** `month` counts from 0. A leap second is the next second. */
function instant(fields: Fields, year: number, month: number): number | undefined {
  const [day, hour, minute, second] = [
    Number(fields.day),
    Number(fields.hour),
    Number(fields.minute),
    Number(fields.second),
  ];
  const midnight = Date.UTC(year, month, day);
  const exists = month >= 0 && month <= 11 && new Date(midnight).getUTCDate() === day;
  if (!exists || hour > 23 || minute > 59 || second > 60) return undefined;
  return midnight + hour * 3_600_000 + minute * 60_000 + second * 1000;
}

/** Two digits: the year in this century, unless that is more than 50 years ahead. */
function fullYear(year: string, now: number): number {
  if (year.length === 4) return Number(year);
  const current = new Date(now).getUTCFullYear();
  const near = current - (current % 100) + Number(year);
  return near > current + 50 ? near - 100 : near;
}

/** One of the three forms of RFC 9110 as epoch ms. @internal */
export function parseHttpDate(text: string, now: number): number | undefined {
  for (const form of HTTP_DATES) {
    const fields: Fields | undefined = form.exec(text)?.groups;
    if (fields) return instant(fields, fullYear(fields.year ?? '', now), MONTHS.indexOf(fields.month ?? ''));
  }
  return undefined;
}

/** A date of RFC 3339 as epoch ms. @internal */
export function parseRfc3339(text: string): number | undefined {
  const fields: Fields | undefined = RFC_3339.exec(text)?.groups;
  if (!fields) return undefined;
  const base = instant(fields, Number(fields.year), Number(fields.month) - 1);
  if (base === undefined) return undefined;
  const [hours = 0, minutes = 0] = (fields.offset ?? '00:00').split(':').map(Number);
  const east = (fields.sign === '-' ? -1 : 1) * (hours * 60 + minutes) * 60_000;
  return base + Number(fields.fraction ?? 0) * 1000 - east;
}
