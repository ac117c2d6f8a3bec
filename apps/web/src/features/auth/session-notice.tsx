import { Link, useLocation } from 'react-router-dom';
import { Alert } from '../../ui/alert.tsx';
import { LiveRegion } from '../../ui/live-region.tsx';
import { commonText } from '../../ui/texts.ts';
import { useSession } from './session-context.ts';
import { accountTurnedOff } from './sign-in-errors.ts';

const text = {
  tokenRejected:
    'You are logged in, but our server does not accept your login. Wait a minute and reload the page. If this does not help, sign out and log in again.',
};

export function SessionNotice() {
  const { ended, needsLogin, isTokenRejected } = useSession();
  const location = useLocation();
  const isLoginPage = /^\/(login|signup)\/?$/i.test(location.pathname);
  const logIn = (
    <Link to="/login" state={{ from: location }} className="link">
      {commonText.logIn}
    </Link>
  );
  return (
    <div className="sticky top-0 z-20">
      {ended === 'turned off' && (
        <div className="column pt-4">
          <Alert>{accountTurnedOff}</Alert>
        </div>
      )}
      {isTokenRejected && (
        <div className="column pt-4">
          <Alert>{text.tokenRejected}</Alert>
        </div>
      )}
      <LiveRegion>
        {(ended === 'expired' || (needsLogin && !isTokenRejected)) && (
          <div className="column pt-4">
            <Alert kind="warn" action={!isLoginPage && logIn}>
              {commonText.sessionEnded}
            </Alert>
          </div>
        )}
      </LiveRegion>
    </div>
  );
}
