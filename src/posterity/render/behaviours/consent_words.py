"""How consent banners speak in many languages: what they are about, what refuses and what agrees."""

ABOUT = (
    r"cookie|consent|gdpr|rgpd|dsgvo|tracking|privacy|datenschutz|einwilligung|confidentialit|consentement|privacidad|"
    r"consentimiento|privacidade|consenso|prywatno|zgod|evästeet|informasjonskaps|gizlilik|çerez|souhlas|súťaž|sütik|"
    r"куки|конфиденц|файл[ыо]в? cookie|クッキー|プライバシー|쿠키|개인정보|隐私|隱私|ملفات تعريف الارتباط|עוגיות"
)
REJECT = (
    r"^(?:reject|decline|refuse|deny|disagree|no,? thanks|necessary|only (?:necessary|essential)|essential only|"
    r"(?:use )?necessary(?: cookies)? only|continue without|ablehnen|alle ablehnen|nur (?:notwendige|essenzielle)|"
    r"(?:tout )?refuser|continuer sans|rechazar|solo (?:las )?necesarias|rifiuta|solo (?:i )?necessari|"
    r"rejeitar|recusar|weigeren|alleen noodzakelijke|odrzuć|avvisa|afvis|avvis|hylkää|odmítnout|elutasít|"
    r"отклонить|отказаться|reddet|拒否|同意しない|거부|拒绝|拒絕|رفض|דחה)"
)
ACCEPT = (
    r"^(?:accept|agree|allow|i (?:accept|agree|understand)|ok(?:ay)?\b|got it|understood|close|dismiss|continue|x$|×$|"
    r"akzeptieren|alle akzeptieren|zustimmen|einverstanden|verstanden|schließen|(?:tout )?accepter|j'accepte|fermer|"
    r"aceptar|acepto|cerrar|entendido|accett|chiudi|aceitar|concordo|fechar|accepteren|akkoord|sluiten|akceptuj|"
    r"zgadzam|zamknij|acceptera|godkänn|accepter|godta|hyväksy|přijmout|souhlasím|elfogad|принять|согласен|закрыть|"
    r"kabul|tamam|同意|承諾|閉じる|동의|확인|닫기|接受|关闭|關閉|قبول|موافق|אישור|הסכמה)"
)
