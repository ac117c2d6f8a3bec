import { Link, useLocation } from 'react-router-dom';
import { Alert } from '../../ui/alert.tsx';
import { LiveRegion } from '../../ui/live-region.tsx';
import { commonText } from '../../ui/texts.ts';
import { useSession } from './session-context.ts';
import { accountTurnedOff } from './sign-in-errors.ts';

const text = {
  needsLogin: 'You need to log in again. If your password no longer works, set a new one or continue with Google.',
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
    <>
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
        {ended === 'expired' && (
          <div className="column pt-4">
            <Alert kind="warn" action={logIn}>
              {commonText.sessionEnded}
            </Alert>
          </div>
        )}
        {needsLogin && !isTokenRejected && (
          <div className="column pt-4">
            <Alert kind="warn" action={!isLoginPage && logIn}>
              {text.needsLogin}
            </Alert>
          </div>
        )}
      </LiveRegion>
    </>
  );
}
