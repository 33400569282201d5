type Reader<Value> = (given: string) => Value | undefined;

export const text: Reader<string> = (given) => given;
/** A whole number, such as a version or epoch seconds. */
export const whole: Reader<number> = (given) => (/^\d{1,12}$/.test(given) ? Number(given) : undefined);
export const flag: Reader<true> = (given) => (given === 'true' ? true : undefined);
export function oneOf<Option extends string | number>(options: readonly Option[]): Reader<Option> {
  return (given) => options.find((option) => String(option) === given);
}

type Shape = Readonly<Record<string, Reader<unknown>>>;
type Search<Read extends Shape> = { [Name in keyof Read]?: ReturnType<Read[Name]> };

/**
 * Reads the search parameters of a page, which are its filters, so that its address can be shared. A parameter with another value
 * counts as missing. Without zod, which would add a tenth to the first load of the lists.
 */
export function search<Read extends Shape>(shape: Read) {
  return (given: Readonly<Record<string, unknown>>): Search<Read> => {
    // The router keeps a parameter as it was given unless the result has its name, so a wrong one is undefined and not left out.
    const read = Object.entries(shape)
      .filter(([name]) => name in given)
      .map(([name, reader]) => [name, given[name] == null || given[name] === '' ? undefined : reader(String(given[name]))]);
    // biome-ignore lint/nursery/noUnsafeTypeAssertion: each value comes from the reader of its name.
    return Object.fromEntries(read) as Search<Read>;
  };
}
