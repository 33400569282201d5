import type { CardRule } from '../../domain/alert/entity-cards.js';

export const travelCards = {
  getUsers: {
    card: 'person',
    list: 'items',
    titles: ['user_name', 'email'],
    fields: { given_name: 'First name', family_name: 'Last name', email: 'Email', active: 'Active', manager_email: 'Manager' },
  },
  searchUserTravel: {
    card: 'trips',
    list: 'trips',
    titles: ['name', 'trip_id'],
    fields: {
      start_date: 'From',
      end_date: 'To',
      'places[].city': 'Places',
      'places[].country': 'Countries',
      cancelled: 'Cancelled',
    },
  },
} as const satisfies Record<string, CardRule>;
