/** Follows redirects as a browser does, with the cookies of each server. */
export class CookieJar {
  readonly #cookies = new Map<string, Map<string, string>>();

  cookie(url: string, name: string): string | undefined {
    return this.#of(url).get(name);
  }

  set(url: string, name: string, value: string): void {
    this.#of(url).set(name, value);
  }

  async get(url: string): Promise<Response> {
    const sent = [...this.#of(url)].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: sent === '' ? {} : { cookie: sent } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /max-age=0/i.test(line)) this.#of(url).delete(name);
      else this.#of(url).set(name, value);
    }
    return response;
  }

  /** Follows redirects until this returns true for the next address, and returns that address. */
  async follow(url: string, until: (next: string) => boolean): Promise<string> {
    const response = await this.get(url);
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${url} was answered ${response.status}: ${await response.text()}`);
    const next = new URL(location, url).href;
    return until(next) ? next : this.follow(next, until);
  }

  #of(url: string): Map<string, string> {
    const { origin } = new URL(url);
    const held = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, held);
    return held;
  }
}
