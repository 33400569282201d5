import { Notifications } from '@mantine/notifications';

export function NotificationArea() {
  return <Notifications position="top-right" />;
}
