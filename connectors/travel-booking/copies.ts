import { toAccountName } from '../../domain/entity/account-name.js';
import { type CopyQuestion, type ListCopy, limitAnswer, NextQuestion, WHOLE_LIST } from '../../domain/record/list-copy.js';
import { travelBooking } from './contract.js';
import {
  chooseUser,
  chooseWindow,
  DAY_SECONDS,
  isForUser,
  isNamed,
  isSame,
  isUser,
  listNames,
  listNamesOf,
  listTrips,
  type User,
} from './trips.js';

const { getBookings, getUsers, searchUserTravel } = travelBooking.skills;
const Booking = getBookings.output.shape.items.element;
const ListedUser = getUsers.output.shape.items.element;

const PAGE_ITEMS = 100;
/** An alert of the last month can concern these trips. */
const BACK_SECONDS = 95 * DAY_SECONDS;
const AHEAD_SECONDS = 65 * DAY_SECONDS;

const named = (value: string | null) => (value ? [`person:${value.trim().toLowerCase()}`] : []);
const asAccount = (value: string | null) => (value ? [`account:${toAccountName(value)}`] : []);

/** The platform lists bookings by their start and not by traveller, so the copy saves the same pages for each question. */
export const bookingCopy: ListCopy = {
  kind: 'booking',
  verb: 'getBookings',
  freshSeconds: 120,
  pageItems: PAGE_ITEMS,
  listPeriods(now) {
    const today = Math.floor(now / DAY_SECONDS) * DAY_SECONDS;
    return [{ from: today - BACK_SECONDS, until: today + DAY_SECONDS + AHEAD_SECONDS }];
  },
  buildInput: ({ from, until }) => ({ start_from: from ?? 0, start_to: until ?? 0 }),
  read(item) {
    const { data: booking } = Booking.safeParse(item);
    const itemId = booking?.booking_uuid ?? booking?.booking_id ?? null;
    if (!booking || itemId === null) return null;
    const people = booking.travellers.length > 0 ? booking.travellers : booking.booker === null ? [] : [booking.booker];
    return {
      itemId,
      at: null,
      keys: [...new Set(people.flatMap(({ email, user_id }) => [...named(email), ...named(user_id)]))],
    };
  },
  questions: {
    searchUserTravel(asked, now) {
      const input = searchUserTravel.input.parse(asked);
      const { traveller } = input;
      const window = chooseWindow(input, Math.floor(now));
      const { from, to } = window;
      /** The directory of the platform has the other names of a traveller without trips, as in the skill. */
      const ask = (names: readonly string[], found: { traveller: User | null; cut: string | null } | null): CopyQuestion => ({
        from: window.startFrom,
        until: window.startTo,
        keys: [...new Set(names.flatMap(named))],
        answer(items) {
          const bookings = items.map((item) => Booking.parse(item)).filter((booking) => isForUser(booking, names));
          const trips = listTrips(bookings, window);
          if (found === null && traveller !== undefined && trips.length === 0)
            return new NextQuestion(userCopy.kind, {
              ...askForUser(traveller),
              answer(users) {
                const { user, cut } = findUser(users, traveller);
                return new NextQuestion(bookingCopy.kind, ask([...names, ...listNamesOf(user)], { traveller: user, cut }));
              },
            });
          return { from, to, trips, ...(found ?? { traveller: null, cut: null }) };
        },
      });
      return ask(listNames(input), null);
    },
  },
};

export const userCopy: ListCopy = {
  kind: 'user',
  verb: 'getUsers',
  freshSeconds: 900,
  pageItems: PAGE_ITEMS,
  listPeriods: () => [WHOLE_LIST],
  buildInput: () => ({}),
  read(item) {
    const { data: user } = ListedUser.safeParse(item);
    if (!user) return null;
    const { user_id, user_name, email, external_id } = user;
    const itemId = user_id ?? user_name ?? email;
    const names = [user_id, user_name, email, external_id].flatMap(named);
    return itemId === null ? null : { itemId, at: null, keys: [...new Set([...names, ...[user_name, email].flatMap(asAccount)])] };
  },
  questions: {
    getUsers(asked) {
      const { email, name, max_items } = getUsers.input.parse(asked);
      if (name !== undefined)
        return {
          ...askForUser(name),
          answer(items) {
            const { user, cut } = findUser(items, name);
            const users = user === null || (email !== undefined && !isSame(user.email, email)) ? [] : [user];
            return { items: users, total: users.length, cut };
          },
        };
      if (email === undefined) return null;
      return {
        ...WHOLE_LIST,
        keys: named(email),
        answer: (items) => ({
          ...limitAnswer(
            items.map((item) => ListedUser.parse(item)).filter((user) => isUser(user, email)),
            max_items,
          ),
          total: null,
        }),
      };
    },
  },
};

function askForUser(name: string): Omit<CopyQuestion, 'answer'> {
  return { ...WHOLE_LIST, keys: [...named(name), ...asAccount(name)] };
}

function findUser(items: readonly unknown[], name: string) {
  return chooseUser(items.map((item) => ListedUser.parse(item)).filter((user) => isNamed(user, name)));
}
